import { useMarket } from './market.ts'

/** The name of the market within a text. */
export const MarketName = () => useMarket().name
