-- Nothing else changes or locks entries, so this makes nobody wait.
set local sought.fills_ledger_currency = 'yes';
update ledger_entries set currency = payments.currency
from payments where payments.id = payment_id and ledger_entries.currency is null;
