"""`games`, `rules` and `cards`: what can be played, and with what."""

from __future__ import annotations

from textwrap import fill

import typer

from analyzer.cli import screen

_JSON = typer.Option(False, "--json", help="Print one JSON document.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(games)
    app.command()(rules)
    app.command()(cards)


def games(json: bool = _JSON) -> None:
    """List the games and their policies.

    Example: analyzer games
    """
    from analyzer.games import GAMES

    if json:
        screen.document(
            {
                game.name: {
                    "title": game.title,
                    "about": game.about,
                    "edition": game.edition,
                    "players": [game.least_players, game.most_players],
                    "policies": {policy.name: policy.about for policy in game.policies},
                    "parameters": {
                        p.key: {"default": p.default, "allowed": p.allowed, "meaning": p.meaning}
                        for p in game.parameters
                    },
                    "terms": dict(game.terms),
                }
                for game in GAMES.values()
            }
        )
        return
    for game in GAMES.values():
        screen.say(f"{game.name}: {game.title}, {game.least_players}–{game.most_players} players")
        screen.say(fill(game.about, 100, initial_indent="  ", subsequent_indent="  "))
        screen.say("\n  Policies")
        for policy in game.policies:
            screen.say(
                fill(f"{policy.name:<12} {policy.about}", 100, initial_indent="    ", subsequent_indent=" " * 17)
            )
        screen.say("\n  Their parameters, for [policies.<name>] in a scenario")
        for p in game.parameters:
            text = f"{p.key:<18} {p.meaning} (default {p.default_text}; {p.allowed})"
            screen.say(fill(text, 100, initial_indent="    ", subsequent_indent=" " * 23))
        screen.say("\n  Terms")
        for term, others in game.terms.items():
            screen.say(f"    {term:<12} {others}")


def rules(game: str = typer.Argument(help="Name of a game."), json: bool = _JSON) -> None:
    """Print the options of a game's rules: id, default, what is allowed, what it means.

    Example: analyzer rules ritter
    """
    from analyzer.games import game_named

    options = game_named(game).options
    if json:
        screen.document(
            {o.key: {"rule": o.rule, "default": o.default, "allowed": o.allowed, "meaning": o.meaning} for o in options}
        )
        return
    screen.say("Set them under [rules] in a scenario.\n")
    for o in options:
        screen.say(f"{o.rule:<5} {o.key} = {o.default_text}")
        screen.say(fill(o.meaning, 100, initial_indent=" " * 6, subsequent_indent=" " * 6))
        screen.say(fill(f"allowed: {o.allowed}", 100, initial_indent=" " * 6, subsequent_indent=" " * 6))


def cards(
    game: str = typer.Argument(help="Name of a game."),
    deck: str = typer.Option("", help="Name of a shipped deck, or a deck file."),
    json: bool = _JSON,
) -> None:
    """Print the cards of a deck, each marked as known from the source or reconstructed.

    Example: analyzer cards ritter --deck french
    """
    from pathlib import Path

    from analyzer.games import game_named

    chosen = game_named(game)
    options = {option.key: option.default for option in chosen.options}
    path = chosen.find_deck(deck, Path()) if deck else None
    table = chosen.prepare(chosen.least_players, options, path)
    if json:
        screen.document({"cards": [vars(card) for card in table.cards]})
        return
    if not table.cards:
        screen.say(f"{chosen.title} has no cards whose fortune is counted.")
        return
    width = max(len(card.name) for card in table.cards)
    for group in dict.fromkeys(card.group for card in table.cards):
        screen.say(f"{group}:")
        for card in table.cards:
            if card.group == group:
                screen.say(f"  {card.name:<{width}}  {card.text:<38} {card.origin}")
