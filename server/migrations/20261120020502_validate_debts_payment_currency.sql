alter table debts validate constraint debts_payment_currency;
