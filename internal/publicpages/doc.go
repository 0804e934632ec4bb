// Package publicpages serves what a company's client sees without an account:
// a quote, with its approval and rejection, and the receipt of a sale, each
// under a link that cannot be guessed.
//
// The pages have no cookies and no scripts, load nothing from elsewhere, and
// print on paper. The link is the whole credential: it is in no log and no
// Referer, and whoever has it may read the document and decide on it.
package publicpages
