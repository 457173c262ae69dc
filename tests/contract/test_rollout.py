"""Rolling a position out, for every game: same luck for every move, the same result on any threads."""

from __future__ import annotations

import numpy as np

from analyzer.engine.run import in_blocks, play_chunk, roll_out, win_and_score
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import Walk
from tests.contract.games import EVERY_GAME
from tests.tables import policies_of, table_of


def _opening(game):
    table = table_of(game, game.least_players)
    walk = Walk(table, 3, 1)
    _, moves = walk.look()
    return table, policies_of(game, [game.default_policy] * table.players), walk.states.copy(), moves


@EVERY_GAME
def test_rollouts_do_not_depend_on_threads_chunks_and_splits(game):
    table, policies, position, moves = _opening(game)
    before = position.tobytes()
    whole = roll_out(table, policies, position, moves[0], 5, 300, threads=1).tally
    chunked = roll_out(table, policies, position, moves[0], 5, 300, threads=2, chunk=7).tally
    split = [roll_out(table, policies, position, moves[0], 5, n, first=f).tally for f, n in ((0, 100), (100, 200))]
    for other in (chunked, split[0] + split[1]):
        assert all(np.array_equal(a, b) for a, b in zip(whole, other, strict=True))
    assert whole.n_games == 300
    assert whole.win[:, :, 0].sum() == 300 * WHOLE_WIN
    assert whole.seated.sum(axis=0).tolist() == whole.seated.sum(axis=1).tolist() == [300] * table.players
    assert position.tobytes() == before


@EVERY_GAME
def test_blocks_add_up_to_the_whole(game):
    table, policies, position, moves = _opening(game)

    def play(candidate, first, count):
        tally = play_chunk(table, policies, 5, first, count, position=position, first_move=moves[candidate])
        return win_and_score(tally, 0)

    sums = in_blocks(play, [0, len(moves) - 1], 0, 5, 32, threads=2)
    assert sums.shape == (2, 5, 2)
    for row, move in zip(sums, (moves[0], moves[-1]), strict=True):
        whole = roll_out(table, policies, position, move, 5, 160).tally
        assert np.array_equal(row.sum(axis=0), win_and_score(whole, 0))
