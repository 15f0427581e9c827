-- Deals from before keep the currency in which they were paid, even if the deployment has another one by now.
set local sought.fills_currencies = 'yes';

update wanted_items set currency = latest.currency
from (
  select distinct on (wanted_item_id) wanted_item_id, currency from payments order by wanted_item_id, id desc
) latest
where latest.wanted_item_id = wanted_items.id and latest.currency <> wanted_items.currency;

update request_versions set currency = wanted_items.currency
from wanted_items
where wanted_items.id = request_versions.wanted_item_id and wanted_items.currency <> request_versions.currency;

update offers set currency = filled.currency
from (
  select offers.id, coalesce(payments.currency, wanted_items.currency) as currency
  from offers
    join wanted_items on wanted_items.id = offers.wanted_item_id
    left join payments on payments.offer_id = offers.id
) filled
where filled.id = offers.id and filled.currency <> offers.currency;

update payouts set currency = payments.currency
from payments where payments.id = payouts.payment_id and payments.currency <> payouts.currency;

update payment_refunds set currency = payments.currency
from payments where payments.id = payment_refunds.payment_id and payments.currency <> payment_refunds.currency;

update chargebacks set currency = payments.currency
from payments where payments.id = chargebacks.payment_id and payments.currency <> chargebacks.currency;

update goodwill_payments set currency = payments.currency
from payments where payments.id = goodwill_payments.payment_id and payments.currency <> goodwill_payments.currency;

update provider_facts set currency = payments.currency
from payments where payments.id = provider_facts.payment_id and payments.currency <> provider_facts.currency;
