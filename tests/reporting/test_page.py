"""The report page in a real browser, where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
SAMPLE = Path(__file__).parents[2] / "reports" / "sample" / "ritter" / "four-players" / "odds" / "report.html"
_PROBE = """<script>addEventListener("load", () => {
  const seen = {inner: innerWidth, wide: document.documentElement.scrollWidth,
    images: [...document.images].map(i => i.naturalWidth), tables: document.querySelectorAll("table").length,
    requests: performance.getEntriesByType("resource").filter(r => !r.name.startsWith("data:")).length};
  document.body.innerHTML = "<pre id=seen>" + JSON.stringify(seen) + "</pre>"; });</script></body>"""


@pytest.mark.skipif(BROWSER is None, reason="no browser on this machine")
@pytest.mark.parametrize("width", [1200, 500])
def test_the_page_fits_and_needs_nothing_else(tmp_path, width):
    page = tmp_path / "page.html"
    page.write_text(SAMPLE.read_text(encoding="utf-8").replace("</body>", _PROBE), encoding="utf-8")
    flags = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
    done = subprocess.run(
        [
            str(BROWSER),
            *flags.split(),
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--window-size={width},1000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout)
    assert found is not None, done.stderr
    seen = json.loads(found[1])
    assert seen["wide"] <= seen["inner"] == width
    assert min(seen["images"]) >= 1000
    assert seen["tables"] >= 5
    assert seen["requests"] == 0
