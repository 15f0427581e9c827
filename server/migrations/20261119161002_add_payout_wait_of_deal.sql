-- Set if the buyer or their card was new. Null for deals that were paid before.
alter table payments add column payout_waits_until timestamptz(3);

-- No payout leaves while it waits for its deal, for a changed account or because its seller is new.
create or replace function payouts_wait() returns trigger language plpgsql as $$
BEGIN
  IF EXISTS (
    SELECT FROM users WHERE id = new.seller_id AND greatest(payouts_wait_until, payouts_delayed_until) > new.updated_at
  ) OR EXISTS (
    SELECT FROM payments WHERE id = new.payment_id AND payout_waits_until > new.updated_at
  ) THEN
    RAISE EXCEPTION 'payout % waits: its seller, buyer or card is new, or the payout account has changed', new.id
      USING errcode = 'check_violation', constraint = 'payouts_wait';
  END IF;
  RETURN new;
END $$;
