import type { BodyOf, InputOf } from '@sought/contract/call'
import type { postWantedItem } from '@sought/contract/requests'
import type { UseFormReturn } from 'react-hook-form'

/** What is typed, before the contract has checked it. */
export type Typed = InputOf<typeof postWantedItem>['body']

export type RequestBody = BodyOf<typeof postWantedItem>

/** The form as its fields see it. */
export type RequestFormState = UseFormReturn<Typed, unknown, RequestBody>

/** What the form may start from: a draft, or the request that its owner changes. */
export interface RequestFields {
  title?: string | undefined
  description?: string | undefined
  category?: string | undefined
  minBudget?: number | undefined
  maxBudget?: number | undefined
  location?: string | undefined
  urgency?: string | undefined
  imageUrl?: string | null | undefined
}
