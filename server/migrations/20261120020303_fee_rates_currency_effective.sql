create index concurrently fee_rates_currency_effective on fee_rates (currency, effective_from, id);
