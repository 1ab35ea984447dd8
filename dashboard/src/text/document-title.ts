// The document's title: the screen's, and before it how many people wait.
let title = 'Docent'
let count = 0

export function setTitle(screen: string) {
  title = `${screen} · Docent`
  show()
}

export function setTitleCount(waiting: number) {
  count = waiting
  show()
}

function show() {
  document.title = count > 0 ? `(${count}) ${title}` : title
}
