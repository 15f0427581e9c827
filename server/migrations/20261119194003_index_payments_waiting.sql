create index concurrently payments_waiting on payments (waiting_until) where waiting_until is not null;
