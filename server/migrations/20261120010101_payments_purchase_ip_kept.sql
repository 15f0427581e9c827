create index concurrently payments_purchase_ip_kept on payments (coalesce(ended_at, updated_at))
  where purchase_ip is not null and status not in ('held_in_escrow', 'disputed', 'under_review');
