-- A restored dump computes the marks while no schema is searched, so the functions that they call are named in full.
create or replace function request_marks(place point, min_budget numeric, max_budget numeric, category text, urgency text,
  images jsonb, created_at timestamptz) returns text[] language plpgsql immutable parallel safe as $$
declare
  posted constant numeric := extract(epoch from created_at at time zone 'UTC');
begin
  return array[
      ':c' || category,
      ':p' || (images <> '[]')::integer,
      ':d' || floor(posted / 86400),
      ':h' || floor(posted / 3600)
    ]
    -- Minimum budgets up to a step are in the class below it, so that a round maximum needs no part of a class.
    || public.budget_marks(':<', min_budget - 0.01)
    || public.budget_marks(':>', max_budget)
    || case urgency when 'high' then '{}'::text[] else array[':u' || urgency] end
    || case when place is null then '{}'::text[] else array[
      ':s' || floor((place[1] + 90) / 0.25) || ',' || floor((place[0] + 180) / 0.25),
      ':m' || floor(place[1] + 90) || ',' || floor(place[0] + 180),
      ':l' || floor((place[1] + 90) / 4) || ',' || floor((place[0] + 180) / 4)
    ] end;
end
$$;
