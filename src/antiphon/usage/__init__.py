"""Usage and money: prices, the ledger of what was used, spending caps."""
