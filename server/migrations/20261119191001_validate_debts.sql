alter table debts validate constraint debts_cause;
alter table debts validate constraint debts_waived_by_users_id_fk;
alter table debts validate constraint debts_given_up;
alter table debts validate constraint debts_waived;
