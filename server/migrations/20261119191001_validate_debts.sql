alter table debts
  validate constraint debts_cause,
  validate constraint debts_waived_by_users_id_fk,
  validate constraint debts_given_up,
  validate constraint debts_waived;
