import type Stripe from 'stripe'
import * as z from 'zod'
import { address, mergeMetadata, metadata, metadataChange, page, text } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { newId, randomAlphanumeric } from './ids.ts'
import { listObjects } from './lists.ts'
import { deleteObject, getObject, insertObject, lockObject, saveObject, toUnixSeconds } from './objects.ts'

const about = {
  address: address.optional(),
  description: text.optional(),
  email: text.optional(),
  name: text.optional(),
  phone: text.optional(),
}

const CreateParams = z.strictObject({ ...about, metadata: metadata.optional() })

async function createCustomer({ tx, params }: Call<z.output<typeof CreateParams>>): Promise<Stripe.Customer> {
  const body: Stripe.Customer = {
    id: newId('cus'),
    object: 'customer',
    address: params.address ? buildAddress(params.address) : null,
    balance: 0,
    created: toUnixSeconds(tx.now),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    invoice_prefix: randomAlphanumeric(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    next_invoice_sequence: 1,
    phone: params.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  return (await insertObject(tx, 'customer', { body, hidden: {} })).body
}

export const buildAddress = (given: z.output<typeof address>): Stripe.Address => ({
  city: given.city ?? null,
  country: given.country ?? null,
  line1: given.line1 ?? null,
  line2: given.line2 ?? null,
  postal_code: given.postal_code ?? null,
  state: given.state ?? null,
})

async function retrieveCustomer({ tx, id }: Call): Promise<Stripe.Customer> {
  return (await getObject(tx, 'customer', id)).body
}

const UpdateParams = z.strictObject({ ...about, metadata: metadataChange.optional() })

async function updateCustomer({
  tx,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.Customer> {
  const customer = await lockObject(tx, 'customer', id)
  const { metadata, address, ...changes } = params
  const body: Stripe.Customer = {
    ...customer.body,
    ...changes,
    ...(address && { address: buildAddress(address) }),
    metadata: mergeMetadata(customer.body.metadata, metadata),
  }
  await saveObject(tx, { ...customer, body })
  return body
}

/** Payments of the customer keep its id. */
async function deleteCustomer({ tx, id }: Call): Promise<Stripe.DeletedCustomer> {
  await lockObject(tx, 'customer', id)
  await deleteObject(tx, id)
  return { id, object: 'customer', deleted: true }
}

const ListParams = z.strictObject(page)

const listCustomers = ({ tx, params }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'customer', '/v1/customers', params)

export const customerRoutes = [
  route('POST', '/v1/customers', CreateParams, createCustomer),
  route('GET', '/v1/customers', ListParams, listCustomers),
  route('GET', '/v1/customers/:id', z.strictObject({}), retrieveCustomer),
  route('POST', '/v1/customers/:id', UpdateParams, updateCustomer),
  route('DELETE', '/v1/customers/:id', z.strictObject({}), deleteCustomer),
]
