alter table ledger_entries
  validate constraint ledger_entries_currency_not_null,
  validate constraint ledger_entries_currency,
  validate constraint ledger_entries_account;
