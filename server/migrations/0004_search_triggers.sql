-- What keeps the words of search beside the requests, whoever writes them and however many at once (ADR 30).
-- Only open requests have words there, so a request that is closed leaves and one that is reopened comes back.

-- Sorted, because neighbours in an index are then written together: that is what makes a statement that adds a
-- million requests quick.
create function add_search_words() returns trigger language plpgsql as $$
begin
  insert into search_words (word)
    select distinct added.word collate "C"
    from new_items, unnest(words) added (word)
    where status = 'open' and not exists (select from search_words known where known.word = added.word collate "C")
    order by 1;
  insert into wanted_item_words (word, item_id)
    select distinct added.word collate "C", id from new_items, unnest(words) added (word) where status = 'open' order by 1, 2;
  return null;
end
$$;
--> statement-breakpoint
create function remove_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (select removed.word collate "C" as word, id from old_items, unnest(words) removed (word) where status = 'open') gone
    where kept.word = gone.word and kept.item_id = gone.id;
  return null;
end
$$;
--> statement-breakpoint
-- An update that changes neither words nor status writes nothing here.
create function change_search_words() returns trigger language plpgsql as $$
begin
  delete from wanted_item_words kept
    using (
      select removed.word collate "C" as word, id from old_items, unnest(words) removed (word) where status = 'open'
      except
      select word, id from new_items, unnest(words) word where status = 'open'
    ) gone
    where kept.word = gone.word and kept.item_id = gone.id;
  with added as materialized (
    select word collate "C" as word, id from new_items, unnest(words) word where status = 'open'
    except
    select word, id from old_items, unnest(words) word where status = 'open'
  ), learnt as (
    insert into search_words (word)
      select distinct word from added
      where not exists (select from search_words known where known.word = added.word)
      order by 1
  )
  insert into wanted_item_words (word, item_id) select word, id from added order by 1, 2;
  return null;
end
$$;
--> statement-breakpoint
create trigger wanted_items_insert_words after insert on wanted_items
  referencing new table as new_items for each statement execute function add_search_words();
--> statement-breakpoint
create trigger wanted_items_update_words after update on wanted_items
  referencing old table as old_items new table as new_items for each statement execute function change_search_words();
--> statement-breakpoint
create trigger wanted_items_delete_words after delete on wanted_items
  referencing old table as old_items for each statement execute function remove_search_words();
--> statement-breakpoint
-- What a search asks of the dictionary: the words that hold a part, or null if they are more than `most`. A part
-- of one or two letters stands for how a word begins, since it would be inside of nearly every one. The planner
-- cannot know how little an index will find, and is kept from reading all words instead.
create function search_words_with(part text, most integer) returns text[]
  language plpgsql stable strict parallel safe
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
declare
  found text[];
begin
  if char_length(part) < 3 then
    found := array(
      select distinct word from search_words
      where word >= part collate "C" and word <= (part || chr(1114111)) collate "C"
      limit most + 1
    );
  else
    found := array(
      select distinct word from search_words
      where word like '%' || part || '%'
      limit most + 1
    );
  end if;
  return case when cardinality(found) <= most then found end;
end
$$;
--> statement-breakpoint
insert into search_words (word) select distinct unnest(words) from wanted_items where status = 'open' order by 1;
--> statement-breakpoint
insert into wanted_item_words (word, item_id)
  select distinct unnest(words), id from wanted_items where status = 'open' order by 1, 2;
