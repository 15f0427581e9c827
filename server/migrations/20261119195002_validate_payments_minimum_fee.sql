alter table payments validate constraint payments_minimum_fee;
