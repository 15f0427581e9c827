/** The title in the browser tab. The server writes the titles of its pages itself, with the other tags of their heads. */
export function Title({ children }: { children: string }) {
  return import.meta.env.SSR ? null : <title>{children}</title>
}
