import type { ReplyOf } from '@sought/contract/call'
import type { getBankStatus, getStripeConnectStatus } from '@sought/contract/sellers'
import type { UseQueryResult } from '@tanstack/react-query'
import type { CallError } from '../../data/client.ts'

export type ConnectStatus = UseQueryResult<ReplyOf<typeof getStripeConnectStatus>, CallError>
export type BankStatus = UseQueryResult<ReplyOf<typeof getBankStatus>, CallError>
