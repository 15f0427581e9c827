create unique index concurrently ledger_entries_key_account_currency_unique on ledger_entries (key, account, currency);
