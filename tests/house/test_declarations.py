"""What a study declares that it may be asked, its reader takes."""

from __future__ import annotations

from inspect import Parameter, signature

import pytest

from analyzer.catalogue import STUDIES


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_a_reader_takes_every_setting_of_its_study(study):
    parameters = signature(study.read.load()).parameters.values()
    if not any(parameter.kind == Parameter.VAR_KEYWORD for parameter in parameters):
        assert {each.key for each in study.asks} == {parameter.name for parameter in parameters}
