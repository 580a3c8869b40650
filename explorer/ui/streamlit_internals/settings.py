"""What the owner of the server has set, and the machine that it runs on."""

from streamlit import config, net_util


def is_set(option: str) -> bool:
    """Return whether the owner has set an option, be it to its default."""
    return config.is_manually_set(option)


def network_address() -> str:
    """Return this machine's address in its network; that of the machine for itself where there is no network."""
    return str(net_util.get_internal_ip())
