import type Stripe from 'stripe'

/** The `error` object of an answer, as Stripe shapes it. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: Partial<Stripe.PaymentIntent>
  payment_method?: Stripe.PaymentMethod
}

/**
 * A call that is refused, and leaves no trace. `began` says that the call had passed validation: then its
 * idempotency key keeps the refusal, and gives it again.
 */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly began: boolean

  constructor(status: number, body: ErrorBody, began = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.began = began
  }
}

/** Parameters that cannot be used: nothing has begun. */
export function invalidRequest(message: string, rest: Pick<ErrorBody, 'code' | 'param'> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...rest })
}

/** A call that made sense, for things in another state than they are in. */
export function invalidState(
  message: string,
  rest: Pick<ErrorBody, 'code' | 'param' | 'payment_intent'> = {},
): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...rest }, true)
}

/** Something named in the address, or in a parameter, that does not exist. */
export function notFound(noun: string, id: string, param?: string): ApiError {
  const body: ErrorBody = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param: param ?? 'id',
  }
  return new ApiError(param === undefined ? 404 : 400, body)
}

export function unauthorized(message: string, code?: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message, ...(code && { code }) })
}

/** A card whose details cannot be right: no bank was asked, and the payment is as it was. */
export function invalidCard(code: string, param: string, message: string): ApiError {
  return new ApiError(402, { type: 'card_error', code, param, message })
}
