-- How text becomes the words that search compares (ADR 30). Requests and searches go through the same
-- functions, so that both always mean the same by a word. Their bodies are bound when they are made: neither a
-- search_path nor the locale of the database changes what they answer. None is strict, so that the planner can
-- write them into a statement instead of calling them for every row.

create extension if not exists pg_trgm;
--> statement-breakpoint
-- Case and accents gone. Plain ASCII, which most text is, takes the short way.
create function search_fold(given text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(given) = char_length(given) then lower(given collate "und-x-icu")
    else replace(replace(replace(replace(translate(
      lower(normalize(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]', '', 'g'), nfc) collate "und-x-icu"),
      'øłđðħŧıς', 'olddhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end;
--> statement-breakpoint
-- The words of a text in their order: runs of letters and digits, in pieces of at most 64. Every other character
-- that can be looked for is a word by itself ('%', '"', an emoji), and so are those of scripts that put no spaces
-- between words. The marks of a sentence separate words and are none.
create function search_lexemes(given text) returns text[]
  language sql immutable parallel safe
  return array_remove(string_to_array(
    regexp_replace(
      regexp_replace(search_fold(given) collate "und-x-icu", '[.,;:!?[:cntrl:]]', ' ', 'g'),
      '([^[:alnum:] ]|[\u2e80-\u9fff\uf900-\ufaff]|[[:alnum:]]{64})', ' \1 ', 'g'
    ), ' '), '');
--> statement-breakpoint
-- Every word that finds a request. '!!' stands for great urgency: no text has such a word.
create function search_words_of(title text, description text, category text, location text, urgency text)
  returns text[]
  language sql immutable parallel safe
  return search_lexemes(title || ' ' || description || ' ' || category || ' ' || location)
    || case urgency when 'high' then array['!!'] else '{}' end;
--> statement-breakpoint
-- The words that a person looks for, at most ten. Quotes, brackets, dashes and the like come along with words
-- without being meant; they count only when there is nothing else.
create function search_parts(search text) returns setof text
  language sql immutable strict parallel safe rows 3
begin atomic
  with lexemes as (
    select lexeme, min(place) as place, lexeme ~ '^[]["''`‘’‚“”„«»‹›(){}<>/\\|*~^&‐‑‒–—―-]$' as mark
    from unnest(search_lexemes(search)) with ordinality as given (lexeme, place)
    group by lexeme
  )
  select lexeme from lexemes
  where not mark or not exists (select from lexemes where not mark)
  order by place
  limit 10;
end;
