-- The lists of words also have the currency of each open request, as a mark such as ':$eur' (ADR 61). It is not in
-- wanted_items.marks, because a new expression for that column would rewrite the table.

create or replace function add_search_words() returns trigger language plpgsql as $$
begin
  insert into search_words (word)
    select distinct added.word collate "C"
    from new_items, unnest(words) added (word)
    where status = 'open' and not exists (select from search_words known where known.word = added.word collate "C")
    order by 1;
  insert into wanted_item_words (word, position, max_budget, expires_at)
    select distinct added.word collate "C", position, max_budget, expires_at
    from new_items, unnest(words || marks || (':$' || currency)) added (word)
    where status = 'open'
    order by 1, 2;
  return null;
end
$$;

create or replace function change_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (
      select word collate "C" as word, position, max_budget, expires_at
      from old_items, unnest(words || marks || (':$' || currency)) word
      where status = 'open'
      except
      select word, position, max_budget, expires_at
      from new_items, unnest(words || marks || (':$' || currency)) word
      where status = 'open'
    ) gone
    where kept.word = gone.word and kept.position = gone.position;
  with added as materialized (
    select word collate "C" as word, position, max_budget, expires_at
    from new_items, unnest(words || marks || (':$' || currency)) word
    where status = 'open'
    except
    select word, position, max_budget, expires_at
    from old_items, unnest(words || marks || (':$' || currency)) word
    where status = 'open'
  ), learnt as (
    insert into search_words (word)
      select distinct word from added
      where word not like ':%' and not exists (select from search_words known where known.word = added.word)
      order by 1
  )
  insert into wanted_item_words (word, position, max_budget, expires_at)
    select word, position, max_budget, expires_at from added order by 1, 2;
  return null;
end
$$;

create or replace function remove_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (
      select removed.word collate "C" as word, old_items.position
      from old_items, unnest(words || marks || (':$' || currency)) removed (word)
      where status = 'open'
    ) gone
    where kept.word = gone.word and kept.position = gone.position;
  return null;
end
$$;
