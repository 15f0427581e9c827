-- What the checks of the deployment found when they last ran at the desk.
alter table installation add column doctor_ran_at timestamptz(3);
alter table installation add column doctor_checks jsonb;
