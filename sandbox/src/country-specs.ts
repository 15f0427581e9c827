import type Stripe from 'stripe'
import * as z from 'zod'
import { currencyOf } from './countries.ts'
import { CURRENCIES } from './currencies.ts'
import { notFound } from './http/api-error.ts'
import { type Call, route } from './http/route.ts'

/** What an account in a country can charge in. The sandbox converts every currency for every account. */
function retrieveSpec({ id }: Call): Promise<Stripe.CountrySpec> {
  if (!/^[A-Z]{2}$/.test(id)) throw notFound('country spec', id)
  const currency = currencyOf(id)
  const none = { additional: [], minimum: [] }
  return Promise.resolve({
    id,
    object: 'country_spec',
    default_currency: currency,
    supported_bank_account_currencies: { [currency]: [id] },
    supported_payment_currencies: CURRENCIES,
    supported_payment_methods: ['card', 'stripe'],
    supported_transfer_countries: [id],
    verification_fields: { company: none, individual: none },
  })
}

export const countrySpecRoutes = [route('GET', '/v1/country_specs/:id', z.strictObject({}), retrieveSpec)]
