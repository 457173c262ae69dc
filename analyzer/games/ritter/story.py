"""A tournament told in sentences.

The kernel keeps no log. A joust is told by drawing it once more from the streams as they stood before
the move. Where an attack was one draw from the table, dice that make just these wounds are shown:
picked at random among all such rolls, they are as likely as real ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from analyzer.engine import drive
from analyzer.engine.chance import DICE, die, jump
from analyzer.engine.game import Step, Table
from analyzer.engine.jit import driver
from analyzer.engine.trace import copy_record
from analyzer.games.ritter.cards import write_knight
from analyzer.games.ritter.kernel import FOOT, MOUNTED, attack
from analyzer.games.ritter.rules import (
    DEFENDER_FIRST,
    EVERY_ROUND,
    KO_ATTACKER,
    KO_FEWER_WOUNDS,
    PLAYOFF_FRESH,
    PLAYOFF_SHARE,
)
from analyzer.games.ritter.state import (
    CHALLENGE,
    FAVOUR,
    GIVE_UP,
    NAME,
    NONE,
    OFFER,
    OVER,
    PASS,
    PLAYOFF,
    RIDE,
    SLOTS,
    TRAIN,
    TRAIN_DIE,
    TRAIN_NOTHING,
    YIELD,
    about,
    knight_name,
    lady_name,
    owner,
    score,
    slots_of,
)


@driver
def _draw_attack(rules, n_dice, guard, cover, part, chance):
    return attack(rules, n_dice, guard, cover, part, chance)


@driver
def _roll(chance):
    return die(chance, 6)


@driver
def _go_to(chance, place):
    jump(chance, DICE, place)


def tell(table: Table, step: Step) -> list[str]:
    """Return the sentences of one step and of what followed it."""
    played = replace(table, rules=step.rules)
    return _sentences(played, step) + _what_followed(played, step)


def opening(table: Table, s: Any) -> list[str]:
    """Return the sentences that say who holds what at the beginning."""
    lines = ["The cards are dealt."] if s.phase == TRAIN else [f"Day {s.day + 1} goes on."]
    for seat in range(table.players):
        knights = [f"{knight_name(table, s, k)} ({_strength(s, k)})" for k in slots_of(table, seat)]
        ladies = [lady_name(table, s, k) for k in slots_of(table, seat)] if table.rules.ladies else []
        court = f"; ladies {' and '.join(ladies)}" if ladies else ""
        lines.append(f"Seat {seat + 1}: {' and '.join(knights)}{court}.")
    return lines


def _strength(s: Any, k: int) -> str:
    return write_knight(int(s.dice[k]), s.cover[k], int(s.wounds[k]))


def _sentences(table: Table, step: Step) -> list[str]:
    s, what = step.before, about(step.move)
    who = f"Seat {step.seat + 1}"
    if s.phase == TRAIN:
        name, k = knight_name(table, s, s.knight), int(s.knight)
        if what == TRAIN_NOTHING:
            return [f"{who} leaves {name} untrained."]
        point = "another die" if what == TRAIN_DIE else f"a cover on {what}"
        cover = [int(c) + (what == face + 1) for face, c in enumerate(s.cover[k])]
        now = write_knight(int(s.dice[k]) + (what == TRAIN_DIE), cover, int(s.wounds[k]))
        return [f"{who} trains {name}: {point} ({now})."]
    if s.phase == RIDE:
        riders = [knight_name(table, s, k) for i, k in enumerate(slots_of(table, step.seat)) if what >> i & 1]
        return [f"{who} lets {' and '.join(riders)} ride." if riders else f"{who} keeps his knights in their tents."]
    if s.phase == OFFER:
        return [_offer(table, step, who, what)]
    if s.phase == FAVOUR:
        return [f"{knight_name(table, s, s.knight)} takes the favour of {lady_name(table, s, what)}."]
    if s.phase == CHALLENGE:
        return _joust(table, step, what // 10, what % 10)
    if s.phase == YIELD:
        return _answer(table, step, what)
    if s.phase == NAME:
        return [f"{who} names {knight_name(table, s, what)} the winner of the day."]
    return [f"{who} sends {knight_name(table, s, what)} into the play-off."]


def _offer(table: Table, step: Step, who: str, what: int) -> str:
    s = step.before
    if what == PASS:
        return f"{who} keeps the ladies' favours back."
    lady, k = what // 10, what % 10
    said = f"{who} offers {lady_name(table, s, lady)}'s favour to {knight_name(table, s, k)}"
    if s.favour[k] == NONE:
        return f"{said}."
    holder = lady_name(table, s, s.favour[k])
    if step.after.phase == FAVOUR and step.after.rival == lady:
        return f"{said}, whom she pleases just as well as {holder}."
    if step.after.favour[k] == lady:
        return f"{said}; he likes her better and sends {holder} away."
    return f"{said}; he prefers {holder}."


@dataclass
class _Fight:
    """A joust drawn once more."""

    table: Table
    s: Any
    attacker: int
    defender: int
    chance: Any

    def __post_init__(self) -> None:
        self.wounds = {k: int(self.s.wounds[k]) for k in (self.attacker, self.defender)}
        self.names = {k: knight_name(self.table, self.s, k) for k in (self.attacker, self.defender)}

    def round(self, part: int, extra: int) -> tuple[str, int, int]:
        """Fight a round; return the sentence and the wounds of attacker and defender."""
        a, d = self.attacker, self.defender
        dice_a, hurt_d = self._attack(a, d, part, extra)
        dice_d, hurt_a = self._attack(d, a, part, extra)
        self.wounds[a] += hurt_a
        self.wounds[d] += hurt_d
        rage = "enraged, " if extra else ""
        sentence = (
            f"  {'On foot' if part == FOOT else 'Mounted'}, {rage}{self.names[a]} rolls {dice_a}: {_hurt(hurt_d)}; "
            f"{self.names[d]} rolls {dice_d}: {_hurt(hurt_a)}."
        )
        return sentence, hurt_a, hurt_d

    def _attack(self, k: int, target: int, part: int, extra: int) -> tuple[str, int]:
        rules, s = self.table.rules, self.s
        n_dice = int(s.dice[k] - s.lamed[k]) + extra
        cover = [int(c) for c in s.cover[target][3 * part : 3 * part + 3]]
        if rules.by_die:
            faces = [int(_roll(self.chance)) for _ in range(n_dice)]
            return " ".join(map(str, faces)), _wounds(faces, cover, part)
        wounds = int(_draw_attack(rules, n_dice, int(s.guard[target, part]), s.cover[target], part, self.chance))
        shown = Random(int(self.chance.at[1]))
        while True:
            faces = [shown.randint(1, 6) for _ in range(n_dice)]
            if _wounds(faces, cover, part) == wounds:
                return " ".join(map(str, faces)), wounds

    def winner(self, rules: Any) -> int:
        """Return who has won between two wounded knights, or NONE (R19)."""
        a, d = self.attacker, self.defender
        out_a, out_d = (self.wounds[k] >= rules.wound_limit for k in (a, d))
        if out_a and out_d and rules.double_knockout == KO_ATTACKER:
            return a
        if out_a and out_d and rules.double_knockout == KO_FEWER_WOUNDS and self.wounds[a] != self.wounds[d]:
            return a if self.wounds[a] < self.wounds[d] else d
        return NONE if out_a == out_d else d if out_a else a

    def verdict(self, rules: Any, bout: int) -> str:
        """Say how two wounded knights stand (R19, R20a)."""
        a, d = self.attacker, self.defender
        out = [k for k in (a, d) if self.wounds[k] >= rules.wound_limit]
        if len(out) == 2:
            if rules.double_knockout == KO_ATTACKER:
                return f"  Both are out of the tournament; the attacker {self.names[a]} has won."
            if rules.double_knockout == KO_FEWER_WOUNDS and self.wounds[a] != self.wounds[d]:
                winner = a if self.wounds[a] < self.wounds[d] else d
                return f"  Both are out of the tournament; {self.names[winner]}, the less wounded, has won."
            return "  Both are out of the tournament, and nobody has won."
        if out:
            winner = a if out[0] == d else d
            return f"  {self.names[out[0]]} is out of the tournament; {self.names[winner]} wins."
        if bout >= rules.max_rounds:
            return f"  After {bout} rounds the joust ends without a winner."
        return ""


def _wounds(faces: list[int], cover: list[int], part: int) -> int:
    return sum(max(0, faces.count(face + 1 + 3 * part) - cover[face]) for face in range(3))


def _hurt(wounds: int) -> str:
    return {0: "no wound", 1: "1 wound"}.get(wounds, f"{wounds} wounds")


def _joust(table: Table, step: Step, a: int, d: int) -> list[str]:
    s, rules = step.before, table.rules
    chance = copy_record(step.chance)
    _go_to(chance, (int(s.day) * SLOTS + a) * SLOTS + d)
    fight = _Fight(table, s, a, d, chance)
    lines = [
        f"Seat {step.seat + 1}: {fight.names[a]} ({_strength(s, a)}) challenges {fight.names[d]} ({_strength(s, d)})"
        f" of seat {owner(table, d) + 1}."
    ]
    mounted, bout, on_foot = _ride(fight, rules)
    lines += mounted
    if on_foot and not rules.yield_before_foot:
        lines += _foot_round(fight, rules, bout, 0)
    return lines


def _ride(fight: _Fight, rules: Any) -> tuple[list[str], int, bool]:
    """Tell the rounds on horseback; return their sentences, how many, and whether it goes on on foot."""
    a, d, lines = fight.attacker, fight.defender, []
    blank = 0
    while True:
        sentence, hurt_a, hurt_d = fight.round(MOUNTED, _rage(rules, blank))
        lines.append(sentence)
        blank += 1
        if hurt_a or hurt_d or blank >= rules.max_rounds:
            break
    if not hurt_a and not hurt_d:
        return [*lines, f"  After {blank} rounds the joust ends without a winner."], blank, False
    if not hurt_a or not hurt_d:
        winner, loser = (a, d) if hurt_d else (d, a)
        out = " and is out of the tournament" if fight.wounds[loser] >= rules.wound_limit else ""
        return [*lines, f"  {fight.names[loser]} is unhorsed{out}; {fight.names[winner]} wins."], blank, False
    verdict = fight.verdict(rules, blank)
    lines.append(verdict or "  Both are unhorsed and go on on foot.")
    return lines, blank, not verdict


def _rage(rules: Any, blank: int) -> int:
    """R16: the extra dice after so many blank rounds in a row."""
    enraged = blank == 1 or (blank > 1 and rules.enrage == EVERY_ROUND)
    return int(rules.enrage_dice) if enraged else 0


def _foot_round(fight: _Fight, rules: Any, bout: int, blank: int) -> list[str]:
    """Tell a round on foot after so many rounds, `blank` of them blank ones in a row just before."""
    sentence, _, _ = fight.round(FOOT, _rage(rules, blank) if rules.enrage_on_foot else 0)
    verdict = fight.verdict(rules, bout + 1)
    return [sentence, verdict] if verdict else [sentence]


def _answer(table: Table, step: Step, what: int) -> list[str]:
    s, rules = step.before, table.rules
    name = knight_name(table, s, s.asked)
    other = s.defender if s.asked == s.attacker else s.attacker
    if what == GIVE_UP:
        return [f"  {name} yields with {s.wounds[s.asked]} wounds; {knight_name(table, s, other)} wins."]
    if s.asked == (s.defender if rules.yield_order == DEFENDER_FIRST else s.attacker):
        return []
    fight = _Fight(table, s, int(s.attacker), int(s.defender), copy_record(step.chance))
    return _foot_round(fight, rules, int(s.bout), int(s.blank))


def _play_off(table: Table, step: Step) -> list[str]:
    """Tell the duels of the play-off (R29), drawn once more from the position at its beginning."""
    rules = copy_record(step.rules)
    rules.playoff = PLAYOFF_SHARE
    s, chance = copy_record(step.before), copy_record(step.chance)
    if s.phase != PLAYOFF:  # the last joust or its naming comes before; with the win shared no duel follows it
        drive.play(rules, s, step.move, chance)
    contenders = [int(k) for k in step.after.contender[: table.players] if k != NONE]
    champion, lines = contenders[0], []
    for challenger in contenders[1:]:
        if rules.playoff_wounds == PLAYOFF_FRESH:
            s.wounds[champion] = s.wounds[challenger] = 0
            s.lamed[champion] = s.lamed[challenger] = 0
        if s.wounds[champion] >= rules.wound_limit:
            champion = challenger
            continue
        told, winner = _duel(table, s, champion, challenger, chance)
        lines += told
        if winner == NONE:
            break
        champion = winner
    return lines


def _duel(table: Table, s: Any, a: int, d: int, chance: Any) -> tuple[list[str], int]:
    """Tell a duel; return its sentences and the winner's slot or NONE (modifies the wounds in `s`)."""
    rules = table.rules
    _go_to(chance, (int(rules.days) * SLOTS + a) * SLOTS + d)
    fight = _Fight(table, s, a, d, chance)
    names = (f"{fight.names[k]} ({_strength(s, k)}) of seat {owner(table, k) + 1}" for k in (a, d))
    lines = [f"{' meets '.join(names)} in a duel."]
    mounted, bout, on_foot = _ride(fight, rules)
    lines += mounted
    blank = 0
    while on_foot:
        before = dict(fight.wounds)
        lines += _foot_round(fight, rules, bout, blank)
        blank = blank + 1 if fight.wounds == before else 0
        bout += 1
        on_foot = not fight.verdict(rules, bout)
    hurt = [fight.wounds[k] > int(s.wounds[k]) for k in (a, d)]
    winner = fight.winner(rules) if all(hurt) else a if hurt[1] else d if hurt[0] else NONE
    s.wounds[a], s.wounds[d] = fight.wounds[a], fight.wounds[d]
    return lines, winner


def _what_followed(table: Table, step: Step) -> list[str]:
    """Tell what happened of itself after a move: the morning, the evening, the end."""
    before, after = step.before, step.after
    lines = []
    if before.phase != PLAYOFF and (after.day != before.day or after.phase in (PLAYOFF, OVER)):
        lines += _evening(table, before, after)
    if after.phase == RIDE and before.phase != RIDE:
        lines.append(f"Day {after.day + 1} begins; seat {after.start + 1} starts.")
    if after.phase == OVER:
        lines += _end(table, step)
    return lines


def _evening(table: Table, before: Any, after: Any) -> list[str]:
    day = int(before.day)
    winner = int(after.day_winner[day])
    if winner == NONE:
        line = f"Day {day + 1} has no winner."
    else:
        bonus = int(table.rules.day_bonus[day])
        line = f"{knight_name(table, after, winner)} wins day {day + 1}: {bonus} more for him and his lady."
    scores = ", ".join(f"seat {seat + 1} has {after.course[day, seat]}" for seat in range(table.players))
    lines = [line, f"Premiums after day {day + 1}: {scores}."]
    if after.day != before.day:
        hurt = [f"{knight_name(table, after, k)} {after.wounds[k]}" for k in _slots(table) if after.wounds[k]]
        lines.append(f"Night. Wounds left: {', '.join(hurt) or 'none'}.")
    return lines


def _slots(table: Table) -> range:
    return range(table.players * int(table.rules.each))


def _end(table: Table, step: Step) -> list[str]:
    s = step.after
    scores = ", ".join(f"seat {seat + 1} {score(table, s, seat)}" for seat in range(table.players))
    lines = [f"Final premiums with the bonus for the best knight and lady: {scores}."]
    if s.playoff_duels:
        duels = "duel" if s.playoff_duels == 1 else "duels"
        lines.append(f"The tie is settled in a play-off of {s.playoff_duels} {duels}.")
        lines += _play_off(table, step)
    winners = [str(seat + 1) for seat in range(table.players) if s.share[seat]]
    if len(winners) == 1:
        lines.append(f"Seat {winners[0]} wins the tournament.")
    else:
        lines.append(f"Seats {' and '.join(winners)} share the win.")
    return lines
