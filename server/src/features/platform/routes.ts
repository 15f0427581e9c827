import { SELLER_COUNTRIES } from '@sought/contract/constants'
import { getConfig, listenToEvents } from '@sought/contract/platform'
import { demoSignIns } from '../../demo/sign-ins.ts'
import { REQUEST_ID_HEADER } from '../../platform/request-log.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'

export function platformRoutes({ config, events, sessions, cards, sandbox }: Services): Route[] {
  return [
    on(getConfig)(() => ({
      currency: config.currency,
      provider: sandbox ? 'sandbox' : 'stripe',
      publishableKey: cards?.publishableKey ?? null,
      ...(sandbox && { sandboxUrl: sandbox.url }),
      ...(cards && {
        platformCountry: config.platformCountry,
        manualPayoutCountries: SELLER_COUNTRIES.filter((country) => !cards.canPayOutTo(country)),
      }),
      googleSignIn: config.google !== undefined,
      ...(!config.production && { development: true as const }),
      ...(config.demo && { demoSignIns: [...demoSignIns] }),
    })),

    on(listenToEvents)(({ user, request, reply }) => {
      reply.raw.setHeader(REQUEST_ID_HEADER, request.id)
      events.open({ userId: user.id, sid: sessions.sidOf(request) ?? '', response: reply.raw })
      return reply.hijack()
    }),
  ]
}
