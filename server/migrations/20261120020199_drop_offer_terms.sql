-- Returns with the currency, once both tables are rewritten.
alter table payments drop constraint payments_offer_terms;
