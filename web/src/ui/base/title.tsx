import { createContext, use } from 'react'

/** Receives the title of a page that is rendered on the server. */
export const TitleReceiver = /* @__PURE__ */ createContext((_title: string) => {})

/** The end of every title. */
export const SiteName = /* @__PURE__ */ createContext('Sought')

/** The title in the browser tab. The server writes it into the head of its pages, with their other tags. */
export function Title({ children }: { children: string }) {
  if (!import.meta.env.SSR) return <title>{children}</title>
  use(TitleReceiver)(children)
  return null
}
