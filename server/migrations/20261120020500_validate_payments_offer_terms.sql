alter table payments validate constraint payments_offer_terms;
