import { useRef } from 'react'

/** Radix returns the focus only to a trigger of its own, even if something else opened the dialog. */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const events = {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      const { current } = opener
      if (current === null || current === document.body) return
      event.preventDefault()
      const target = current.isConnected ? current : (trigger.current ?? findPlaceToGoOn())
      if (target instanceof HTMLElement) target.focus({ preventScroll: target !== current })
    },
  }
  return { trigger, events }
}

/** If the opener is gone, such as with a card that was handled: the dialog below, or the main part of the page. */
const findPlaceToGoOn = () => document.querySelector('[role=dialog]') ?? document.querySelector('main')
