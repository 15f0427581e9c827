alter table payments validate constraint payments_refund;
