alter table payouts validate constraint payouts_payment_currency;
