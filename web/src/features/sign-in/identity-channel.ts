/** Tells the other windows of this browser that the user has confirmed their identity with Google. */
const CHANNEL = 'identity-confirmed'

export function announceIdentity(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

export function listenForIdentity(onConfirmed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = onConfirmed
  return () => channel.close()
}
