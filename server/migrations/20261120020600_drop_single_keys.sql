-- The keys with the currency replace these.
alter table payouts drop constraint payouts_payment_id_payments_id_fk;
alter table debts drop constraint debts_payment_id_payments_id_fk;
alter table payment_refunds drop constraint payment_refunds_payment_id_payments_id_fk;
alter table chargebacks drop constraint chargebacks_payment_id_payments_id_fk;
alter table goodwill_payments drop constraint goodwill_payments_payment_id_payments_id_fk;
