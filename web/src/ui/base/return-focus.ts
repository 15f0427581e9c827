import { useRef } from 'react'

/** Returns the focus to the element that opened a dialog. Radix does so only if that was its own trigger. */
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

/** Where to focus if the opener was removed with its card: an open dialog behind it, or the main landmark. */
const findPlaceToGoOn = () => document.querySelector('[role=dialog]') ?? document.querySelector('main')
