"""What phones and remote controls say."""

from explorer.records.language import message, speaking, t

_WORDS = {
    "room": message("Room"),
    "connected": message("connected"),
    "connecting": message("connecting…"),
    "wait": message("Look at the wall."),
    "wait_more": message("The next question appears here."),
    "open": message("Open this picture"),
    "first": message("Predict first"),
    "second": message("Discussed? Vote again"),
    "kept": message("Kept. You can change it until the vote closes."),
    "unsent": message("Kept on this phone. It is sent as soon as there is a connection."),
    "closed": message("The vote is closed."),
    "discuss": message("Find somebody who answered differently. Convince each other."),
    "before": message("before"),
    "class_said": message("What the class said"),
    "right": message("You were right: {answer}."),
    "answer": message("The answer is: {answer}."),
    "once": message("first vote"),
    "twice": message("second vote"),
    "late": message("Too late: the vote had closed."),
    "slow": message("A little slower, please."),
    "refused": message("That was not accepted."),
    "enter": message("Code of the room: six digits"),
    "join": message("Join"),
    "no_room": message("There is no room of this code."),
    "restarted": message("The room is gone: the server was restarted, or the lesson is over."),
    "join_again": message("Join again"),
    "full": message("The room is full, or locked."),
    "tabs": message("The room is open in too many tabs of this browser. Close one, then load this page again."),
    "wrong": message("This is no link of this room’s teacher."),
    "ended": message("The lesson is over. Thank you!"),
    "privacy": message("No name, no account: only the number of answers is kept, and only until the lesson is over."),
    "remote": message("Remote control"),
    "private": message("Only you see these numbers."),
    "answered": message("{n} of {here} have answered"),
    "here": message("{here} here"),
    "ask": message("Ask the class"),
    "nothing": message("This scene asks nothing."),
    "close": message("Close the vote"),
    "again": message("Vote again"),
    "reveal": message("Reveal"),
    "done": message("Go on"),
    "next": message("Next scene"),
    "back": message("Scene before"),
    "lock": message("Let no new phone in"),
    "end": message("End the lesson"),
    "sure": message("Press again: all phones leave the room."),
    "own": message("This remote control on your phone: scan it where nobody else can"),
    "nowall": message("No wall is connected: open the app’s window that presents."),
    "explain": message("{share} right: explain it first, few can convince others."),
    "talk": message("{share} right: let them discuss, then vote again."),
    "go_on": message("{share} right: go on."),
    "nobody": message("Nobody has answered."),
}


def words(language: str) -> dict[str, str]:
    """Return them by name, in a language."""
    with speaking(language):
        return {name: t(text) for name, text in _WORDS.items()}
