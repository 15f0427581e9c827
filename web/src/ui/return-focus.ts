import { useRef } from 'react'

/** Radix returns the focus only to a trigger of its own, even if something else opened the dialog. */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      const { current } = opener
      if (!(current instanceof HTMLElement) || !current.isConnected || current === document.body) return
      event.preventDefault()
      current.focus()
    },
  }
}
