"""Lines at the top of a model's README."""

#: Characters of a README in which they are looked for.
MOST = 20_000


def front_matter(readme: str) -> dict[str, str]:
    """Return the `key: value` lines at the top of a model's README; no YAML parser reads a stranger's file."""
    if not readme.startswith("---"):
        return {}
    lines = readme[:MOST].split("---", 2)[1].splitlines()
    pairs = (line.split(":", 1) for line in lines if ":" in line and not line.startswith((" ", "-", "#")))
    return {key.strip(): value.strip().strip("'\"")[:80] for key, value in pairs}
