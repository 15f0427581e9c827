-- Figures of money are counted in each currency, under names such as 'volume:eur' (ADR 84).

create or replace function payment_figures(p payments) returns table (day date, figure text, value bigint)
language sql stable as $$
  SELECT charged.day, paid.figure, paid.value
  FROM (SELECT figure_day(coalesce(p.charged_at, p.created_at)) AS day) charged
  CROSS JOIN LATERAL (
    VALUES
      ('paid', 1::bigint),
      ('volume:' || p.currency, p.amount),
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

create or replace function ledger_figures(e ledger_entries) returns table (day date, figure text, value bigint)
language sql stable as $$
  SELECT
    figure_day(e.created_at),
    account.figure || ':' || e.currency,
    account.sign * e.amount_cents
  FROM (
    VALUES
      ('fees:platform', 'fees', 1),
      ('fees:processing', 'processingFees', 1),
      ('fees:provider', 'providerCosts', -1),
      ('losses:chargebacks', 'losses', -1),
      ('losses:refunds', 'losses', -1),
      ('losses:debts', 'losses', -1),
      ('platform:goodwill', 'goodwill', -1)
  ) account (name, figure, sign)
  WHERE account.name = e.account
$$;

-- A job counts everything again.
insert into figure_changes (figure) values ('recount');
