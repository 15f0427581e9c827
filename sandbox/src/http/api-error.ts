import type Stripe from 'stripe'

/** The `error` object of a response, in Stripe's format. */
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
 * An error that rolls back the call. If `isReplayable`, the call had passed validation, so the error is
 * stored under its idempotency key and returned again on a retry.
 */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly isReplayable: boolean

  constructor(status: number, body: ErrorBody, isReplayable = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.isReplayable = isReplayable
  }
}

/** Invalid parameters. The idempotency key stays unused. */
export function invalidRequest(message: string, rest: Pick<ErrorBody, 'code' | 'param'> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...rest })
}

export const notPositive = (param: string): ApiError =>
  invalidRequest('This value must be greater than or equal to 1.', {
    code: 'parameter_invalid_integer',
    param,
  })

/** A valid call that the state of the object does not allow. */
export function invalidState(
  message: string,
  rest: Pick<ErrorBody, 'code' | 'param' | 'payment_intent'> = {},
): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...rest }, true)
}

/** The object named in the path or in `param` does not exist. */
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

/** Invalid card details. The payment does not change. */
export function invalidCard(code: string, param: string, message: string): ApiError {
  return new ApiError(402, { type: 'card_error', code, param, message })
}
