drop index concurrently fee_rates_effective;
