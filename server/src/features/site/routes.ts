import { SELLER_COUNTRIES } from '@sought/contract/constants'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import { defaultFees } from '@sought/contract/currency-defaults'
import { limitsOf } from '@sought/contract/market-settings'
import { getConfig, listenToEvents, reportBrowserError } from '@sought/contract/platform'
import { type Market, withDefaults } from '../../database/market-settings.ts'
import { demoSignIns } from '../../demo/sign-ins.ts'
import { addressKey } from '../../http/limits.ts'
import { detachResponse } from '../../http/request-log.ts'
import { on, type Route } from '../../http/route.ts'
import type { Services } from '../../services.ts'

export function platformRoutes(services: Services): Route[] {
  const { browserErrors, events, limits, sessions } = services
  return [
    // Pages contain these settings, and request them again after an admin has changed them.
    on(getConfig)(async () => describeDeployment(services, await services.market.readNow())),

    on(reportBrowserError)(async ({ body, request }) => {
      await limits.browserErrorByAddress.count(addressKey(request.ip))
      browserErrors.record(body)
      return { ok: true }
    }),

    on(listenToEvents)(({ user, request, reply }) => {
      events.open(user.id, sessions.sidOf(request) ?? '', () => detachResponse(request, reply))
      return reply
    }),
  ]
}

/** The public settings of this deployment and of the market. */
export function describeDeployment(services: Services, market: Market) {
  const { config, sandbox, keyWatch } = services
  const cards = keyWatch?.problem() ? null : services.cards
  const [currency] = market.currencies
  const byCurrency = Object.fromEntries(
    market.currencies.map((code) => [code, describeCurrency(market, code)]),
  )
  const first = currency && byCurrency[currency]
  if (!first) throw new Error('a market has a currency')
  return {
    market: { ...withDefaults(market, config.settingDefaults), ...first, byCurrency },
    currency,
    currencies: market.currencies.map((code) => {
      const { decimals, minCharge, maxCharge } = rulesOf(code)
      return { code, decimals, minCharge, maxCharge }
    }),
    provider: sandbox ? ('sandbox' as const) : ('stripe' as const),
    publishableKey: cards && (sandbox?.publishableKey() ?? cards.publishableKey),
    ...(sandbox && { sandboxUrl: sandbox.url }),
    ...(cards && {
      platformCountry: config.platformCountry,
      manualPayoutCountries: SELLER_COUNTRIES.filter((country) => !cards.canPayOutTo(country)),
    }),
    googleSignIn: config.google !== undefined,
    ...(!config.production && { development: true as const }),
    ...(config.demo && { demoSignIns: [...demoSignIns] }),
  }
}

/** What buyers and sellers may know about a currency of the market. */
function describeCurrency(market: Market, currency: Currency) {
  const { maxOfferCents, highValueCents } = limitsOf(market, currency)
  return { fees: market.fees[currency] ?? defaultFees(currency), maxOfferCents, highValueCents }
}
