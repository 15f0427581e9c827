import { Link2 } from 'lucide-react'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'

/** Hands the address on: to the device's own sharing where it has one, else to the clipboard. */
export function ShareButton({ title }: { title: string }) {
  const share = async () => {
    const url = window.location.origin + window.location.pathname
    try {
      if (navigator.share) return await navigator.share({ title, url })
      await navigator.clipboard.writeText(url)
      toast({ title: 'Link copied', description: url })
    } catch (error) {
      // Closing the device's sheet is a choice, not a failure.
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({ title: 'The link could not be copied', description: url, variant: 'destructive' })
    }
  }
  return (
    <Button variant="quiet" onClick={() => void share()}>
      <Link2 aria-hidden="true" />
      Share
    </Button>
  )
}
