package dashboard

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
)

//go:embed assets/dist/*.css assets/dist/*.js assets/dist/*.svg assets/dist/*.woff2
var assets embed.FS

// static is one file that pages load, with the hash by which its address changes.
type static struct {
	body []byte
	kind string
	hash string
}

func loadStatics() (map[string]static, error) {
	const folder = "assets/dist"
	entries, err := assets.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	all := map[string]static{}
	for _, e := range entries {
		body, err := assets.ReadFile(folder + "/" + e.Name())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		kind := mime.TypeByExtension(path.Ext(e.Name()))
		if path.Ext(e.Name()) == ".woff2" {
			kind = "font/woff2"
		}
		all[e.Name()] = static{body, kind, hex.EncodeToString(sum[:6])}
	}
	return all, nil
}

// asset is the address of a file. It may be kept for ever, since it changes
// with the file.
func (v *visit) asset(name string) string { return "/static/" + name + "?v=" + v.d.statics[name].hash }

func (d *Dashboard) serveStatic(w http.ResponseWriter, r *http.Request) {
	s, ok := d.statics[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", s.kind)
	h.Set("Cache-Control", "public, max-age=3600")
	if r.URL.Query().Get("v") == s.hash {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write(s.body) // a browser that has gone asks again
}
