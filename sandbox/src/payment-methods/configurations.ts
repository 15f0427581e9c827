import type Stripe from 'stripe'
import * as z from 'zod'
import type { Tx } from '../database.ts'
import { boolean, page, reference, text } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { listObjects } from '../lists.ts'
import { findObject, getObject, insertObject, lockObject, saveObject } from '../objects.ts'
import { METHOD_TYPES, type MethodType } from './method-types.ts'

/* Which methods the platform turned on. Stripe's dashboard shows them as its settings of payment methods. */

const CONFIGURATION_ID = 'pmc_sandboxDefault'

/** Wallets are turned on like methods, although their payments are card payments. */
const WALLETS = ['apple_pay', 'google_pay'] as const

const NAMES = [...METHOD_TYPES, ...WALLETS]

type Name = (typeof NAMES)[number]

/** The sandbox offers every method, as a platform that turned all of them on. */
export async function prepareConfiguration(tx: Tx): Promise<void> {
  if (await findObject(tx, 'payment_method_configuration', CONFIGURATION_ID)) return
  const body: Stripe.PaymentMethodConfiguration = {
    id: CONFIGURATION_ID,
    object: 'payment_method_configuration',
    active: true,
    application: null,
    is_default: true,
    livemode: false,
    name: 'Default',
    parent: null,
    ...Object.fromEntries(NAMES.map((name) => [name, show('on')])),
  }
  await insertObject(tx, 'payment_method_configuration', { body, hidden: {} })
}

const show = (value: 'on' | 'off', preference: 'none' | 'on' | 'off' = value) => ({
  available: value === 'on',
  display_preference: { overridable: null, preference, value },
})

/** The methods that a payment offers by default. */
export async function readEnabledTypes(tx: Tx): Promise<MethodType[]> {
  const { body } = await getObject(tx, 'payment_method_configuration', CONFIGURATION_ID)
  return METHOD_TYPES.filter((type) => body[type]?.available)
}

export const CONFIGURATION_DETAILS = { id: CONFIGURATION_ID, parent: null }

const ListParams = z.strictObject({ ...page, application: text.optional(), active: boolean.optional() })

const listConfigurations = ({
  tx,
  params: { application: _, active: __, ...page },
}: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'payment_method_configuration', '/v1/payment_method_configurations', page)

async function retrieveConfiguration({ tx, id }: Call): Promise<Stripe.PaymentMethodConfiguration> {
  return (await getObject(tx, 'payment_method_configuration', id)).body
}

const Preference = z
  .strictObject({
    display_preference: z.strictObject({ preference: z.enum(['none', 'on', 'off']).optional() }).optional(),
  })
  .optional()

const UpdateParams = z.strictObject({
  ...(Object.fromEntries(NAMES.map((name) => [name, Preference])) as Record<Name, typeof Preference>),
  active: boolean.optional(),
  name: reference.optional(),
})

async function updateConfiguration({
  tx,
  id,
  params,
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.PaymentMethodConfiguration> {
  const configuration = await lockObject(tx, 'payment_method_configuration', id)
  const { active, name, ...changes } = params
  const body: Stripe.PaymentMethodConfiguration = {
    ...configuration.body,
    ...(active !== undefined && { active }),
    ...(name !== undefined && { name }),
    ...Object.fromEntries(
      Object.entries(changes).flatMap(([method, change]) => {
        const preference = change?.display_preference?.preference
        return preference ? [[method, show(preference === 'off' ? 'off' : 'on', preference)]] : []
      }),
    ),
  }
  await saveObject(tx, { ...configuration, body })
  return body
}

export const configurationRoutes = [
  route('GET', '/v1/payment_method_configurations', ListParams, listConfigurations),
  route('GET', '/v1/payment_method_configurations/:id', z.strictObject({}), retrieveConfiguration),
  route('POST', '/v1/payment_method_configurations/:id', UpdateParams, updateConfiguration),
]
