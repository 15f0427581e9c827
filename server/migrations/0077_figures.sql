-- The figures of the market (ADR 84). Each function says what one row counts for; triggers write the differences.
CREATE FUNCTION "figure_day"("at" timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT (at AT TIME ZONE 'UTC')::date
$$;
--> statement-breakpoint
CREATE FUNCTION "request_figures"("r" "wanted_items") RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE sql STABLE AS $$
  SELECT figure_day(r.created_at), 'requests', 1::bigint WHERE r.id IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION "offer_figures"("o" "offers") RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE sql STABLE AS $$
  SELECT figure_day(o.created_at), 'offers', 1::bigint WHERE o.id IS NOT NULL
  UNION ALL
  SELECT figure_day(o.accepted_at), 'accepted', 1::bigint WHERE o.accepted_at IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION "payment_figures"("p" "payments") RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE sql STABLE AS $$
  SELECT charged.day, paid.figure, paid.value
  FROM (SELECT figure_day(coalesce(p.charged_at, p.created_at)) AS day) charged
  CROSS JOIN LATERAL (
    VALUES
      ('paid', 1::bigint),
      ('volume', p.amount::bigint),
      (
        'returning',
        (SELECT count(*) FROM users u WHERE u.id = p.buyer_id AND figure_day(u.created_at) < charged.day)
      )
  ) paid (figure, value)
  WHERE p.status <> 'pending' AND paid.value <> 0
  UNION ALL
  SELECT
    figure_day(coalesce(p.ended_at, p.charged_at, p.created_at)),
    CASE
      WHEN p.status IN ('completed', 'resolved_seller') THEN 'released'
      WHEN p.status IN ('refunded', 'resolved_buyer') THEN 'refunded'
      ELSE 'partial'
    END,
    1::bigint
  WHERE p.status IN ('completed', 'resolved_seller', 'refunded', 'resolved_buyer', 'resolved_partial')
$$;
--> statement-breakpoint
-- Like rulingDue in escrow/src/promised-times.ts: seven business days later, Monday to Friday in UTC.
CREATE FUNCTION "ruling_due"("opened_at" timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT (
    opened_at AT TIME ZONE 'UTC' + CASE extract(isodow FROM opened_at AT TIME ZONE 'UTC')
      WHEN 4 THEN interval '11 days'
      WHEN 5 THEN interval '11 days'
      WHEN 6 THEN interval '10 days'
      ELSE interval '9 days'
    END
  ) AT TIME ZONE 'UTC'
$$;
--> statement-breakpoint
CREATE FUNCTION "dispute_figures"("c" "dispute_cases") RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE sql STABLE AS $$
  SELECT figure_day(c.opened_at), opened.figure, 1::bigint
  FROM (VALUES ('disputed'), ('reason:' || c.reason)) opened (figure)
  WHERE c.id IS NOT NULL
  UNION ALL
  SELECT figure_day(c.first_step_at), answered.figure, answered.value
  FROM (
    VALUES
      ('answered', 1::bigint),
      ('answeredInTime', (c.first_step_at <= c.opened_at + interval '24 hours')::integer::bigint),
      ('answerSeconds', extract(epoch FROM c.first_step_at - c.opened_at)::bigint)
  ) answered (figure, value)
  WHERE c.first_step_at IS NOT NULL AND answered.value <> 0
  UNION ALL
  SELECT figure_day(c.ended_at), ended.figure, ended.value
  FROM (
    VALUES
      (CASE c.ending WHEN 'bank' THEN 'decidedByBank' ELSE c.ending END, 1::bigint),
      ('ruledInTime', (c.ending = 'ruled' AND c.ended_at <= ruling_due(c.opened_at))::integer::bigint),
      ('rulingSeconds', CASE WHEN c.ending = 'ruled' THEN extract(epoch FROM c.ended_at - c.opened_at)::bigint END)
  ) ended (figure, value)
  WHERE c.ended_at IS NOT NULL AND ended.value <> 0
$$;
--> statement-breakpoint
-- Income is positive, and so are costs and losses.
CREATE FUNCTION "ledger_figures"("e" "ledger_entries") RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE sql STABLE AS $$
  SELECT
    figure_day(e.created_at),
    account.figure,
    account.sign * e.amount_cents
  FROM (
    VALUES
      ('fees:platform', 'fees', 1),
      ('fees:processing', 'processingFees', 1),
      ('fees:provider', 'providerCosts', -1),
      ('losses:chargebacks', 'losses', -1),
      ('losses:refunds', 'losses', -1),
      ('platform:goodwill', 'goodwill', -1)
  ) account (name, figure, sign)
  WHERE account.name = e.account
$$;
--> statement-breakpoint
CREATE FUNCTION "user_figures"("u" "users") RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE sql STABLE AS $$
  SELECT figure_day(u.created_at), 'newUsers', 1::bigint WHERE u.id IS NOT NULL
$$;
--> statement-breakpoint
-- Everything that is counted. The figures are this, summed up.
CREATE VIEW "figure_facts" AS
SELECT r.id AS wanted_item_id, f.day, f.figure, f.value FROM wanted_items r, request_figures(r) f
UNION ALL
SELECT o.wanted_item_id, f.day, f.figure, f.value FROM offers o, offer_figures(o) f
UNION ALL
SELECT p.wanted_item_id, f.day, f.figure, f.value FROM payments p, payment_figures(p) f
UNION ALL
SELECT p.wanted_item_id, f.day, f.figure, f.value
FROM dispute_cases c JOIN payments p ON p.id = c.payment_id, dispute_figures(c) f
UNION ALL
SELECT p.wanted_item_id, f.day, f.figure, f.value
FROM ledger_entries e JOIN payments p ON p.id = e.payment_id, ledger_figures(e) f
UNION ALL
SELECT NULL::integer, f.day, f.figure, f.value FROM users u, user_figures(u) f;
--> statement-breakpoint
-- PL/pgSQL, so that the condition reaches the indexes. Stable, so that it sees what the statement sees that calls it.
CREATE FUNCTION "figure_facts_of"("request_id" integer) RETURNS TABLE ("day" date, "figure" text, "value" bigint)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT f.day, f.figure, f.value FROM figure_facts f WHERE f.wanted_item_id = request_id;
END $$;
--> statement-breakpoint
CREATE FUNCTION "record_request_figures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND (
    TG_OP = 'DELETE' OR OLD.category <> NEW.category OR OLD.country IS DISTINCT FROM NEW.country
  ) THEN
    INSERT INTO figure_changes (figure, wanted_item_id, category, country)
    VALUES ('moved', OLD.id, OLD.category, coalesce(OLD.country, ''));
  END IF;
  INSERT INTO figure_changes (figure, wanted_item_id, day, change)
  SELECT it.figure, coalesce(NEW.id, OLD.id), it.day, sum(it.value)
  FROM (
    SELECT f.day, f.figure, f.value FROM request_figures(NEW) f
    UNION ALL
    SELECT f.day, f.figure, -f.value FROM request_figures(OLD) f
  ) it
  GROUP BY it.figure, it.day HAVING sum(it.value) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "record_offer_figures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (figure, wanted_item_id, day, change)
  SELECT it.figure, coalesce(NEW.wanted_item_id, OLD.wanted_item_id), it.day, sum(it.value)
  FROM (
    SELECT f.day, f.figure, f.value FROM offer_figures(NEW) f
    UNION ALL
    SELECT f.day, f.figure, -f.value FROM offer_figures(OLD) f
  ) it
  GROUP BY it.figure, it.day HAVING sum(it.value) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "record_payment_figures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (figure, wanted_item_id, day, change)
  SELECT it.figure, coalesce(NEW.wanted_item_id, OLD.wanted_item_id), it.day, sum(it.value)
  FROM (
    SELECT f.day, f.figure, f.value FROM payment_figures(NEW) f
    UNION ALL
    SELECT f.day, f.figure, -f.value FROM payment_figures(OLD) f
  ) it
  GROUP BY it.figure, it.day HAVING sum(it.value) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "record_dispute_figures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (figure, wanted_item_id, day, change)
  SELECT it.figure, p.wanted_item_id, it.day, sum(it.value)
  FROM payments p, (
    SELECT f.day, f.figure, f.value FROM dispute_figures(NEW) f
    UNION ALL
    SELECT f.day, f.figure, -f.value FROM dispute_figures(OLD) f
  ) it
  WHERE p.id = coalesce(NEW.payment_id, OLD.payment_id)
  GROUP BY it.figure, p.wanted_item_id, it.day HAVING sum(it.value) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Entries are never changed or deleted.
CREATE FUNCTION "record_ledger_figures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (figure, wanted_item_id, day, change)
  SELECT f.figure, p.wanted_item_id, f.day, f.value
  FROM ledger_figures(NEW) f, payments p WHERE p.id = NEW.payment_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "record_user_figures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (figure, day, change)
  SELECT it.figure, it.day, sum(it.value)
  FROM (
    SELECT f.day, f.figure, f.value FROM user_figures(NEW) f
    UNION ALL
    SELECT f.day, f.figure, -f.value FROM user_figures(OLD) f
  ) it
  GROUP BY it.figure, it.day HAVING sum(it.value) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "wanted_items_figures_rows" AFTER INSERT OR DELETE ON "wanted_items"
  FOR EACH ROW EXECUTE FUNCTION "record_request_figures"();
--> statement-breakpoint
CREATE TRIGGER "wanted_items_figures" AFTER UPDATE ON "wanted_items"
  FOR EACH ROW WHEN (
    OLD.category <> NEW.category OR OLD.country IS DISTINCT FROM NEW.country OR OLD.created_at <> NEW.created_at
  ) EXECUTE FUNCTION "record_request_figures"();
--> statement-breakpoint
CREATE TRIGGER "offers_figures_rows" AFTER INSERT OR DELETE ON "offers"
  FOR EACH ROW EXECUTE FUNCTION "record_offer_figures"();
--> statement-breakpoint
CREATE TRIGGER "offers_figures" AFTER UPDATE ON "offers"
  FOR EACH ROW WHEN (OLD.accepted_at IS DISTINCT FROM NEW.accepted_at OR OLD.created_at <> NEW.created_at)
  EXECUTE FUNCTION "record_offer_figures"();
--> statement-breakpoint
CREATE TRIGGER "payments_figures_rows" AFTER INSERT OR DELETE ON "payments"
  FOR EACH ROW EXECUTE FUNCTION "record_payment_figures"();
--> statement-breakpoint
CREATE TRIGGER "payments_figures" AFTER UPDATE ON "payments"
  FOR EACH ROW WHEN (
    OLD.status <> NEW.status
    OR OLD.charged_at IS DISTINCT FROM NEW.charged_at
    OR OLD.ended_at IS DISTINCT FROM NEW.ended_at
    OR OLD.created_at <> NEW.created_at
  ) EXECUTE FUNCTION "record_payment_figures"();
--> statement-breakpoint
CREATE TRIGGER "dispute_cases_figures" AFTER INSERT OR UPDATE OR DELETE ON "dispute_cases"
  FOR EACH ROW EXECUTE FUNCTION "record_dispute_figures"();
--> statement-breakpoint
CREATE TRIGGER "ledger_entries_figures" AFTER INSERT ON "ledger_entries"
  FOR EACH ROW WHEN (NEW.account LIKE 'fees:%' OR NEW.account LIKE 'losses:%' OR NEW.account = 'platform:goodwill')
  EXECUTE FUNCTION "record_ledger_figures"();
--> statement-breakpoint
CREATE TRIGGER "users_figures_rows" AFTER INSERT OR DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION "record_user_figures"();
--> statement-breakpoint
CREATE TRIGGER "users_figures" AFTER UPDATE ON "users"
  FOR EACH ROW WHEN (OLD.created_at <> NEW.created_at) EXECUTE FUNCTION "record_user_figures"();
--> statement-breakpoint
-- The job counts what existed before. Changes that are recorded until then are in its count.
INSERT INTO "figure_changes" ("figure") VALUES ('recount');
