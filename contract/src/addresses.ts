import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { DeliveryAddress } from './delivery-address.ts'
import { Done } from './fields.ts'

const call = callsOf({ subjects: ['addresses'] })

const SavedAddress = z.object({ deliveryAddress: z.nullable(DeliveryAddress) })

export const getDeliveryAddress = call({
  method: 'GET',
  path: '/api/user/delivery-address',
  access: 'user',
  summary: 'Gets the address that was saved for the next checkout',
  reply: SavedAddress,
})

export const saveDeliveryAddress = call({
  method: 'PUT',
  path: '/api/user/delivery-address',
  access: 'user',
  summary: 'Saves an address for the next checkout, in encrypted form',
  body: DeliveryAddress,
  reply: SavedAddress,
})

export const deleteDeliveryAddress = call({
  method: 'DELETE',
  path: '/api/user/delivery-address',
  access: 'user',
  summary: 'Deletes the saved address',
  reply: Done,
})
