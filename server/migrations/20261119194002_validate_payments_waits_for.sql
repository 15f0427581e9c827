alter table payments validate constraint payments_waits_for;
