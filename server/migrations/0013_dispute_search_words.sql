-- Chargebacks were opened without search words, so the desk's search could not find them.
update payments
set dispute_words = lower(concat_ws(E'\n', payments.id, wanted_items.title, dispute_reason, buyer_id, seller_id))
from wanted_items
where wanted_items.id = payments.wanted_item_id and dispute_reason is not null and dispute_words is null;
