// Package catalog owns what a tenant sells: products with their variations,
// services, and the two trees of categories that they are sorted into.
//
// What always holds: a SKU is that of one product or one variation of the
// tenant; a variation has one value of each attribute of its product, and no
// other variation of the product has the same; a product has at most 100; a
// tree of categories has no cycle, is at most five deep, and siblings differ in
// name. What is archived stays readable, and in every document that names it.
package catalog
